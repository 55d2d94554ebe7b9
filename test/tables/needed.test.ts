import { expect, test } from "vitest";
import { needed } from "../../src/tables/needed.js";

const failing = (code: string, message: string) => async () => {
  throw Object.assign(new Error(message), { code });
};

test.each([
  ["ERR_MODULE_NOT_FOUND", "Cannot find package '@duckdb/node-api' imported from database.js"],
  ["MODULE_NOT_FOUND", "Cannot find module '@duckdb/node-api'\nRequire stack:\n- package.js"],
])("a package that was left out is named, with the command that installs it: %s", async (code, message) => {
  await expect(needed(failing(code, message))).rejects.toMatchObject({
    message: "This needs the package @duckdb/node-api, which is not installed: npm install @duckdb/node-api.",
    code: "file",
  });
});

test("any other failure stays what it is", async () => {
  await expect(needed(failing("ERR_MODULE_NOT_FOUND", "Cannot find module './x.js'"))).rejects.toThrow(
    "./x.js",
  );
  await expect(needed(failing("MODULE_NOT_FOUND", "Cannot find module './x.js'"))).rejects.toThrow("./x.js");
  await expect(needed(failing("EACCES", "permission denied"))).rejects.toThrow("permission denied");
});
