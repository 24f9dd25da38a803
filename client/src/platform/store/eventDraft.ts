import { local } from './local.ts'

const KEY = 'garba.event-draft'

/** The event form's unsaved changes. Here in platform, because signing out on any page removes them. */
export const eventDraft = {
  read: (): unknown => local.readJson(KEY),
  write: (draft: object): void => local.writeJson(KEY, draft),
  drop: (): void => local.write(KEY, null),
}
