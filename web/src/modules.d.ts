// What the build makes of a stylesheet: nothing where it is imported plainly (it joins the first page's sheet), its address with ?url.
declare module "*.css";
declare module "*.css?url" {
  const address: string;
  export default address;
}
