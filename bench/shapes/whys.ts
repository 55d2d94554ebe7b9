/** Why a method is faster than Sparrow at a shape, by `shape/method`; said only where the numbers say that it is. */

const PATH_OF_SPARSE =
  "it goes through the entries once for every value of λ and looks at columns one at a time, while Sparrow judges every column beside each probable model, looks at pairs, and checks what all columns explain together";
const FEW_COLUMNS =
  "its path needs one matrix of products, and Sparrow, which needs it too, first puts two million rows into random order and then describes how far its answer can be trusted";

export const WHYS: Readonly<Record<string, string>> = {
  "sparse/glmnet path": PATH_OF_SPARSE,
  "sparse/glmnet relaxed": PATH_OF_SPARSE,
  "tall/glmnet path": FEW_COLUMNS,
  "tall/glmnet relaxed": FEW_COLUMNS,
  "tall/scikit-learn path": FEW_COLUMNS,
};
