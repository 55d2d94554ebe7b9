import { SparrowError } from "../errors.js";

/** Loads what brings packages of its own. They are optional: whoever left them out is told which one to install. */
export async function needed<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const name = /Cannot find package '([^']+)'/.exec(message ?? "")?.[1];
    if (code !== "ERR_MODULE_NOT_FOUND" || name === undefined) throw error;
    throw new SparrowError(
      `This needs the package ${name}, which is not installed: npm install ${name}.`,
      "file",
    );
  }
}
