declare module "unbzip2-stream" {
  /** A stream in the style of Node 0.8 that takes packed bytes and gives plain ones. */
  export default function unbzip2(): NodeJS.ReadWriteStream;
}
