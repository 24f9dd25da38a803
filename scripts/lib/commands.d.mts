interface CommandArguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly words: readonly string[]
}

export const COMMAND_NAMES: readonly string[]
export function findUsage(name: string): string | undefined
export function findScript(name: string): string
export function parseArguments(name: string, args: readonly string[]): CommandArguments | 'help' | 'wrong'
export function needsTools(name: string): boolean
