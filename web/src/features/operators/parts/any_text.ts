// A parameter of the address that takes whatever was typed.
import type { Parameter } from "../../../app/query";

export const anyText: Parameter<string> = { parse: (text) => text, text: (value) => value, initial: "" };
