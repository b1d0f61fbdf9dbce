declare module "virtual:words" {
  export const keywords: string[];
  export const reserved: string[];
  export const explained: Record<string, { form: string; text: string; part: string }>;
}
