declare module "*.html?url" {
  const address: string;
  export default address;
}
