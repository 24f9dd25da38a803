import { local } from './local.ts'

const KEY = 'garba.event-draft'

/** The event form's unsaved changes. Here in platform, because signing out on any page removes them. */
export const eventDraft = {
  read: (): string | null => local.read(KEY),
  write: (text: string): void => local.write(KEY, text),
  drop: (): void => local.write(KEY, null),
}
