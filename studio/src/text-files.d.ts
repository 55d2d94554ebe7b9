/** The build takes these in as texts. */
declare module "*.csv" {
  const text: string;
  export default text;
}
declare module "*.css";
