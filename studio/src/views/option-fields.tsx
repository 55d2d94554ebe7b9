/** Fields of options: a choice, a number. What is left as it is says nothing to the fit. */

import { change, setup } from "../state/session.js";
import type { FitWishes } from "../state/setup.js";

/** `undefined` takes a wish back. */
export function setFit(wish: { readonly [K in keyof FitWishes]?: FitWishes[K] | undefined }): void {
  const fit = Object.fromEntries(
    Object.entries({ ...setup.value.fit, ...wish }).filter(([, value]) => value !== undefined),
  );
  void change({ fit: fit as FitWishes });
}

export interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [string, string])[];
  onChoice(value: string): void;
}

export function Choice({ label, value, choices, onChoice }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

export interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly placeholder: string;
  readonly least?: number;
  onNumber(value: number | undefined): void;
}

export function NumberField({ label, value, placeholder, least = 0, onNumber }: NumberFieldProps) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={least}
        step="any"
        placeholder={placeholder}
        value={value ?? ""}
        onChange={(event) => {
          const { value: text, valueAsNumber } = event.currentTarget;
          onNumber(text === "" || Number.isNaN(valueAsNumber) ? undefined : valueAsNumber);
        }}
      />
    </label>
  );
}
