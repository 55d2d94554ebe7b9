import type { Reader } from "../reader.js";
import { arrow } from "./arrow.js";
import { csv } from "./csv.js";
import { json } from "./json.js";
import { jsonl } from "./jsonl.js";
import { libsvm } from "./libsvm.js";
import { movielens } from "./movielens.js";
import { parquet } from "./parquet.js";
import { tsv } from "./tsv.js";
import { xlsx } from "./xlsx.js";

/** Who reads what. They are asked in this order; whatever no other one knows is CSV. */
export const readers: readonly Reader[] = [libsvm, parquet, arrow, xlsx, json, jsonl, tsv, movielens, csv];
