/** Whether a server lets somebody in without a password. */

import { clickHouseAddress } from "./address.js";
import { connected } from "./client.js";
import { isRefusedLogin, mayPass } from "./faults.js";

/** The user whose password is wanted; undefined where none is, or where nobody can tell: whoever asks next will hear. */
export async function wantsPassword(text: string): Promise<string | undefined> {
  const address = clickHouseAddress(text);
  const client = await connected(address, "");
  const look = () =>
    client.command({ query: "SELECT 1" }).then(
      () => undefined,
      (error: unknown) => error,
    );
  try {
    const first = await look();
    // A connection that was cut says nothing of a password.
    const error = first !== undefined && mayPass(first) ? await look() : first;
    return error !== undefined && isRefusedLogin(error) ? address.user : undefined;
  } finally {
    await client.close();
  }
}
