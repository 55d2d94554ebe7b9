import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("every package that runs with the program is justified, locked by its content, and runs nothing when it is installed", () => {
  const { dependencies = {}, optionalDependencies } = JSON.parse(read("package.json"));
  const page = read("docs/decisions/0006-what-we-depend-on.md");
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    expect(page).toContain(`\`${name}\``);
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<
      string,
      { dev?: boolean; link?: boolean; hasInstallScript?: boolean; integrity?: string }
    >;
  };
  // A link leads to a workspace of this repository.
  const ours = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith("node_modules/") && !dev && !link,
  );
  expect(ours.length).toBeGreaterThan(10);
  for (const [path, { hasInstallScript, integrity }] of ours)
    expect([path, hasInstallScript, typeof integrity]).toEqual([path, undefined, "string"]);
});
