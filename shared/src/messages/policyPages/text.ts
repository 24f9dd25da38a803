/** The text of a policy page (SPEC 2), English. A list stands for its own paragraph. */
export interface PolicyText {
  /** As SPEC 9 counts it; the privacy policy has none. */
  version: string | null
  intro: string
  sections: readonly { title: string; body: readonly (string | readonly string[])[] }[]
}
