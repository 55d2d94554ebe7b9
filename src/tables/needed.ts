import { SparrowError } from "../errors.js";

/** Loads what brings packages of its own. They are optional: whoever left them out is told which one to install. */
export async function needed<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const missing = code === "MODULE_NOT_FOUND" ? REQUIRED : IMPORTED;
    const name = missing.exec(message ?? "")?.[1];
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(code ?? "") || name === undefined) throw error;
    throw new SparrowError(
      `This needs the package ${name}, which is not installed: npm install ${name}.`,
      "file",
    );
  }
}

/** As Node names packages that it cannot find; files of our own begin with a point or a slash. */
const IMPORTED = /Cannot find package '([^']+)'/;
const REQUIRED = /Cannot find module '([^./][^']*)'/;
