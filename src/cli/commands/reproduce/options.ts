import { experiments } from "../../../options/experiments.js";
import { entries, type Given } from "../../../options/option.js";
import { outputs } from "../../../options/outputs.js";
import { options } from "../../../options/table.js";
import type { Arguments } from "../../command.js";

export const reproduceOptions = {
  ...experiments,
  ...entries(options, ["seed"]),
  ...entries(outputs, ["out", "json", "quiet"]),
};

export type ReproduceArguments = Arguments<typeof reproduceOptions>;
export type ReproduceAsked = Given<typeof reproduceOptions>;
