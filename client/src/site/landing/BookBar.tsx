import { type RefObject, useEffect, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { useEnter } from '../enter.ts'
import { useWords } from '../words.ts'
import styles from './BookBar.module.css'

interface BookBarProps {
  /** The hero's own buttons: the bar stands in for them while they are out of sight. */
  buttons: RefObject<HTMLElement | null>
  price: string
}

/** On phones the way in stays within the thumb's reach below the hero; wide screens have it in the header. */
export const BookBar = ({ buttons, price }: BookBarProps) => {
  const { header, hero } = useWords()
  const enter = useEnter()
  const away = useScrolledAway(buttons)
  if (!away) return null
  return (
    <div className={styles.bar}>
      <p>
        <strong>{price}</strong> {hero.perTicket}
      </p>
      <Button tone="primary" onClick={() => void enter()}>
        {header.book}
      </Button>
    </div>
  )
}

function useScrolledAway(element: RefObject<HTMLElement | null>): boolean {
  const [away, setAway] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const watch = new IntersectionObserver(([entry]) => {
      if (entry) setAway(!entry.isIntersecting && entry.boundingClientRect.top < 0)
    })
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [element])
  return away
}
