/** Variables above this are selected: the median probability model (Barbieri and Berger 2004). */
export const SELECTED = 0.5;
