import { type ReactNode, useEffect, useRef } from 'react'
import styles from './StepGroup.module.css'

interface StepGroupProps {
  /** What the step is called: said when the focus comes to it. */
  label: string
  /** Takes the focus when it appears: the button that led here is gone, and a held Enter must not press the next one. */
  takesFocus: boolean
  children: ReactNode
}

/** The content of one step of a dialog. */
export const StepGroup = ({ label, takesFocus, children }: StepGroupProps) => {
  const group = useRef<HTMLFieldSetElement>(null)
  const takes = useRef(takesFocus)
  useEffect(() => {
    if (takes.current) group.current?.focus()
  }, [])
  return (
    <fieldset ref={group} className={styles.step} aria-label={label} tabIndex={-1}>
      {children}
    </fieldset>
  )
}
