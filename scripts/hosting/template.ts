import { readFileSync } from 'node:fs'

/**
 * A file of `templates` with each `{{name}}` replaced by its value. The lines between `{{#name}}` and `{{/name}}` stay only
 * where the value is true. Throws RangeError for a name without a value.
 */
export function fillTemplate(file: string, values: Readonly<Record<string, string | number | boolean>> = {}): string {
  const getValue = (name: string) => {
    const value = values[name]
    if (value === undefined) throw new RangeError(`${file} needs ${name}`)
    return value
  }
  return readFileSync(new URL(`templates/${file}`, import.meta.url), 'utf8')
    .replace(/\{\{#(\w+)\}\}\n([\s\S]*?)\{\{\/\1\}\}\n/g, (_, name, lines) => (getValue(name) === true ? lines : ''))
    .replace(/\{\{(\w+)\}\}/g, (_, name) => String(getValue(name)))
}
