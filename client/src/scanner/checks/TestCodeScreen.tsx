import type { ReactNode } from 'react'
import { usePageTitle } from '../../platform/page.ts'
import { SELF_TEST_TEXT } from '../core/scan.ts'
import { READINESS } from '../texts/phone.ts'
import styles from './TestCodeScreen.module.css'
import { modulesOf, pathOf, QUIET } from './testCode.ts'

const modules = modulesOf(SELF_TEST_TEXT)
const side = modules.length + 2 * QUIET

/** The app's test code, for another device's readiness check or for printing. */
export default function TestCodeScreen({ top }: { top: ReactNode }) {
  usePageTitle(READINESS.testCode.title)
  return (
    <main className={styles.page}>
      {top}
      <h1>{READINESS.testCode.title}</h1>
      <p>{READINESS.testCode.detail}</p>
      <svg
        className={styles.code}
        viewBox={`0 0 ${side} ${side}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label={READINESS.testCode.title}
      >
        <rect width={side} height={side} fill="#fff" />
        <path d={pathOf(modules)} fill="#000" />
      </svg>
    </main>
  )
}
