/** Imitations of the files that people try first: made up, with the columns and the quirks of the originals. */

import { normal } from "../../src/math/normal.js";
import { Rng } from "../../src/math/rng.js";
import { type Columns, type Value, written } from "./base.js";
import type { MessyCase } from "./case.js";

const table = (rows: number, seed: number, of: (i: number, rng: Rng) => Record<string, Value>): Columns => {
  const rng = Rng.seeded(seed);
  const records = Array.from({ length: rows }, (_, i) => of(i, rng));
  return Object.fromEntries(
    Object.keys(records[0]).map((name) => [name, records.map((record) => record[name])]),
  );
};
const without = (columns: Columns, ...names: string[]): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => !names.includes(name)));
const mapped = (columns: Columns, changes: Readonly<Record<string, (value: Value) => Value>>): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [
      name,
      changes[name] ? values.map(changes[name]) : values,
    ]),
  );
const one = (rng: Rng, ...values: readonly string[]): string => values[rng.below(values.length)];
const round = (x: number, digits = 1): number => Number(x.toFixed(digits));

const titanic = (): Columns =>
  table(60, 1, (i, rng) => {
    const [Sex, Pclass] = [one(rng, "male", "female", "male"), 1 + rng.below(3)];
    const fare = round(80 / Pclass + 5 * rng.uniform(), 2);
    return {
      PassengerId: i + 1,
      Survived: Number(rng.uniform() < (Sex === "female" ? 0.9 : 0.15)),
      Pclass,
      Name: `Number ${i}, ${Sex === "male" ? "Mr." : "Mrs."} "The" Person`,
      Sex,
      Age: rng.uniform() < 0.2 ? null : round(20 + 40 * rng.uniform(), 0),
      SibSp: rng.below(3),
      Parch: rng.below(2),
      Ticket: i % 3 === 0 ? `A/5 ${21_000 + i}` : String(100_000 + ((i * 37) % 50)),
      Fare: fare,
      Cabin: rng.uniform() < 0.75 ? null : `C${20 + i}`,
      Embarked: one(rng, "S", "S", "C", "Q"),
    };
  });

const adult = (): Columns =>
  table(60, 2, (_, rng) => {
    const age = 20 + rng.below(50);
    return {
      age,
      workclass: one(rng, "Private", "Private", "State-gov", "?"),
      fnlwgt: 10_000 + rng.below(300_000),
      education: one(rng, "Bachelors", "HS-grad", "11th"),
      "education-num": 7 + rng.below(7),
      occupation: one(rng, "Sales", "Craft-repair", "?"),
      sex: one(rng, "Male", "Female"),
      "hours-per-week": 20 + rng.below(40),
      class: rng.uniform() < age / 90 ? ">50K" : "<=50K",
    };
  });

const penguins = (): Columns =>
  table(60, 3, (i, rng) => {
    const hole = i === 3 || i === 41;
    const bill = round(44 + 5 * normal(rng));
    return {
      species: one(rng, "Adelie", "Gentoo", "Chinstrap"),
      island: one(rng, "Torgersen", "Biscoe", "Dream"),
      bill_length_mm: hole ? null : bill,
      flipper_length_mm: hole ? null : 170 + rng.below(60),
      body_mass_g: hole ? null : Math.round(3000 + 30 * bill + 100 * normal(rng)),
      sex: hole || i % 11 === 4 ? null : one(rng, "male", "female"),
      year: 2007 + rng.below(3),
    };
  });

const houses = (): Columns =>
  table(60, 4, (i, rng) => {
    const area = 600 + rng.below(1500);
    return {
      Id: i + 1,
      MSZoning: one(rng, "RL", "RM", "RL"),
      LotFrontage: rng.uniform() < 0.15 ? null : 40 + rng.below(60),
      LotArea: 5000 + rng.below(9000),
      Street: "Pave",
      Alley: i === 8 || i === 33 ? "Grvl" : i === 20 ? "Pave" : null,
      MasVnrType: one(rng, "None", "BrkFace", "Stone"),
      GrLivArea: area,
      YearBuilt: 1900 + rng.below(110),
      SalePrice: 50_000 + 90 * area + Math.round(8000 * normal(rng)),
    };
  });

const diamonds = (): Columns =>
  table(60, 5, (i, rng) => {
    const carat = round(0.2 + 2 * rng.uniform(), 2);
    return {
      "": i + 1,
      carat,
      cut: one(rng, "Ideal", "Premium", "Good"),
      color: one(rng, "D", "E", "F", "G"),
      depth: round(61 + normal(rng)),
      price: Math.round(4000 * carat + 400 * rng.uniform()),
    };
  });

const cars = (): Columns =>
  table(32, 6, (i, rng) => {
    const wt = round(1.5 + 4 * rng.uniform(), 3);
    return {
      "": ["Mazda", "Merc", "Fiat", "Honda"][i % 4] + ` ${i}`,
      mpg: round(38 - 5.5 * wt + normal(rng)),
      cyl: [4, 6, 8][rng.below(3)],
      hp: 60 + rng.below(200),
      wt,
      am: rng.below(2),
    };
  });

const air = (): Columns =>
  table(62, 7, (i, rng) => {
    const temp = 60 + rng.below(35);
    return {
      Ozone: i % 6 === 4 ? null : Math.max(1, Math.round(temp - 50 + 6 * normal(rng))),
      "Solar.R": i % 17 === 5 ? null : 20 + rng.below(300),
      Wind: round(4 + 14 * rng.uniform()),
      Temp: temp,
      Month: 5 + Math.floor(i / 31),
      Day: 1 + (i % 31),
    };
  });

const retail = (): Columns =>
  table(60, 8, (i, rng) => {
    const price = round(5 + 40 * rng.uniform(), 2);
    return {
      "Order No": 536_365 + ((i * 37) % 997),
      Date: new Date(Date.UTC(2011, rng.below(12), 1 + rng.below(28))),
      Country: one(rng, "Österreich", "Schweiz", "Österreich", "Côte d’Ivoire"),
      Price: price,
      Discount: [0, 5, 10][rng.below(3)],
      Revenue: round(1000 + 60 * price + 20 * normal(rng), 2),
    };
  });

/** Where Latin-1 has nothing, Windows has the sign of the euro and the curly apostrophe. */
const windows = (text: string): Buffer =>
  Buffer.from(text.replaceAll("€", "\u0080").replaceAll("’", "\u0092"), "latin1");
const comma = (value: Value): string => String(value).replace(".", ",");
const dots = (value: Value): string => comma(value).replace(/\B(?=(\d{3})+(,|$))/g, ".");
const german = (value: Value): string =>
  (value as Date).toISOString().slice(0, 10).split("-").reverse().join(".");
const NA = (value: Value): Value => value ?? "NA";
const all = (columns: Columns, change: (value: Value) => Value): Columns =>
  mapped(columns, Object.fromEntries(Object.keys(columns).map((name) => [name, change])));
const spaced = (columns: Columns): string => written(columns).replaceAll(",", ", ");
const gone = (value: Value): Value => (value === "?" ? null : value);

export const classicCases: readonly MessyCase[] = [
  {
    ...{
      file: "titanic.csv",
      target: "Survived",
      isLong: true,
      content: () => written(titanic()),
      mixed: false,
    },
    twin: () => without(titanic(), "PassengerId", "Name", "Ticket", "Cabin"),
    notes: [
      '"PassengerId" (a running number), "Name" (different in every row), "Cabin" (different in every row) name their rows: set aside; --keep PassengerId,Name,Cabin takes them in.',
      `"Ticket" (${new Set(titanic().Ticket).size} different values in 60 rows) has too many values to be categories: set aside; --keep Ticket takes it in.`,
    ],
  },
  {
    ...{ file: "adult.csv", target: "class", content: () => spaced(adult()), mixed: false, cells: "none" },
    twin: () => mapped(adult(), { workclass: gone, occupation: gone }),
    notes: ['"?" counts as missing in "workclass", "occupation".'],
  },
  {
    ...{
      file: "penguins.csv",
      target: "body_mass_g",
      content: () => written(all(penguins(), NA)),
      mixed: false,
    },
    twin: penguins,
  },
  {
    ...{
      file: "house-prices.csv",
      target: "SalePrice",
      content: () => written(all(houses(), NA)),
      mixed: false,
    },
    twin: () => without(houses(), "Id"),
    notes: ['"Id" (a running number) names its row: set aside; --keep Id takes it in.'],
  },
  {
    ...{
      file: "diamonds.csv",
      target: "price",
      content: () => written(diamonds()),
      mixed: false,
      cells: "none",
    },
    twin: () => without(diamonds(), ""),
    notes: ['"column1" (a running number) names its row: set aside; --keep column1 takes it in.'],
  },
  {
    ...{ file: "mtcars.csv", target: "mpg", content: () => written(cars()), mixed: false, cells: "none" },
    twin: () => without(cars(), ""),
    notes: ['"column1" (different in every row) names its row: set aside; --keep column1 takes it in.'],
  },
  {
    ...{
      file: "airquality.csv",
      target: "Ozone",
      content: () => written(all(air(), NA)),
      mixed: false,
      twin: air,
    },
  },
  {
    ...{ file: "retail-export.csv", target: "Revenue", mixed: false, cells: "none" },
    content: () =>
      windows(
        written(
          mapped(retail(), {
            Date: german,
            Price: (v) => `${comma(v)} €`,
            Discount: (v) => `${v}%`,
            Revenue: dots,
          }),
          { delimiter: ";" },
        ),
      ),
    twin: () => without(retail(), "Order No"),
    notes: [
      '"Order No" (different in every row) names its row: set aside; --keep "Order No" takes it in.',
      "FILE is not UTF-8: it was read as Windows-1252 (Latin-1), so letters beyond the English ones may be wrong.",
      `"Price", "Revenue" have decimal commas, as in ${comma(retail().Price[0])} €.`,
      `"Revenue" has signs between thousands: as in ${dots(retail().Revenue[0])}.`,
      '"Price" is read without €.',
      '"Discount" is in percent: 45% counts as 45.',
      '"Date" is a date with the day first.',
    ],
  },
];
