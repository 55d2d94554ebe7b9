/** Whether a server lets somebody in without a password. */

import { clickHouseAddress } from "./address.js";
import { connected } from "./client.js";
import { isRefusedLogin } from "./faults.js";

/** The user whose password is wanted; undefined where none is, or where nobody can tell: whoever asks next will hear. */
export async function wantsPassword(text: string): Promise<string | undefined> {
  const address = clickHouseAddress(text);
  const client = await connected(address, "");
  try {
    await client.command({ query: "SELECT 1" });
    return undefined;
  } catch (error) {
    return isRefusedLogin(error) ? address.user : undefined;
  } finally {
    await client.close();
  }
}
