import { parseSync } from 'rolldown/utils'

export interface Found {
  /** The line number, counted from 1. */
  readonly line: number
  /** The imported path for imports; the called function for the rest. */
  readonly text: string
}

export interface Facts {
  readonly imports: readonly Found[]
  /** Uses of the clock, randomness or network, which a rule must take as an argument. */
  readonly impurities: readonly Found[]
  /** `.transaction(...)` and `store.write(...)` calls. */
  readonly transactions: readonly Found[]
  readonly lines: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

const nameOf = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? String(value.name) : undefined)

/** Imports, re-exports, `import()`, `import('x')` types, `new URL('x', import.meta.url)` and `require()` alike. */
function importedBy(node: Node): string | undefined {
  const literal = (value: unknown) =>
    isNode(value) && value.type === 'Literal' && typeof value.value === 'string' ? value.value : undefined
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return literal(node.source) ?? literal(node.argument)
    case 'TSExternalModuleReference':
      return literal(node.expression)
    case 'CallExpression':
      return nameOf(node.callee) === 'require' ? literal((node.arguments as unknown[])[0]) : undefined
    default:
      return undefined
  }
}

const IMPURE_MEMBERS = new Set(['Date.now', 'Math.random', 'performance.now', 'crypto.randomUUID'])
const IMPURE_CALLS = new Set(['fetch', 'Date', 'setTimeout', 'setInterval'])

function memberOf(value: unknown): string | undefined {
  if (!isNode(value) || value.type !== 'MemberExpression') return undefined
  const property = value.computed === true ? (value.property as Node).value : nameOf(value.property)
  const object = nameOf(value.object) ?? memberOf(value.object)
  return `${object ?? ''}.${String(property)}`.replace(/^(globalThis|window|self)\./, '')
}

function impurityOf(node: Node): string | undefined {
  if (node.type === 'NewExpression' && nameOf(node.callee) === 'Date') {
    return (node.arguments as unknown[]).length === 0 ? 'new Date()' : undefined
  }
  if (node.type === 'MemberExpression') {
    const member = memberOf(node) ?? ''
    return IMPURE_MEMBERS.has(member) ? member : undefined
  }
  if (node.type !== 'CallExpression') return undefined
  const callee = nameOf(node.callee) ?? memberOf(node.callee) ?? ''
  return IMPURE_CALLS.has(callee) ? `${callee}()` : undefined
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item)
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) yield value
    for (const child of Object.values(value)) if (typeof child === 'object') yield* nodesOf(child)
  }
}

/** Lists what a TypeScript or JavaScript source imports and does. Throws if it cannot be parsed. */
export function factsOf({ path, source }: { path: string; source: string }): Facts {
  const result = parseSync(path, source)
  const error = result.errors[0]
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const imports: Found[] = []
  const impurities: Found[] = []
  const transactions: Found[] = []
  const at = (node: Node, text: string): Found => ({ line: source.slice(0, node.start).split('\n').length, text })
  for (const node of nodesOf(result.program)) {
    const imported = importedBy(node)
    if (imported !== undefined) imports.push(at(node, imported))
    const impurity = impurityOf(node)
    if (impurity !== undefined) impurities.push(at(node, impurity))
    if (node.type === 'CallExpression' && /\.transaction$|(^|\.)store\.write$/.test(memberOf(node.callee) ?? '')) {
      transactions.push(at(node, `${memberOf(node.callee)}()`))
    }
  }
  return { imports, impurities, transactions, lines: source.trimEnd().split('\n').length }
}
