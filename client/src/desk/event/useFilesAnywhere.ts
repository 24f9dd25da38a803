import { useEffect, useEffectEvent } from 'react'

interface Handlers {
  /** A file is being dragged over the page, or no longer. */
  onOver: (over: boolean) => void
  onFile: (file: File | undefined) => void
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Files dropped or pasted anywhere on the page, while the caller is shown. A file dropped beside the field would otherwise
 * be opened by the browser in the place of the form. Pasted text stays the fields' own.
 */
export function useFilesAnywhere({ onOver, onFile }: Handlers): void {
  const over = useEffectEvent(onOver)
  const take = useEffectEvent(onFile)
  useEffect(() => {
    const end = new AbortController()
    const { signal } = end
    const onDragOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      over(true)
    }
    const onDragLeave = (event: DragEvent) => {
      // Out of the window, not from one element to the next.
      if (event.relatedTarget === null) over(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      over(false)
      take(event.dataTransfer?.files[0])
    }
    const onPaste = (event: ClipboardEvent) => {
      const file = event.clipboardData?.files[0]
      if (!file) return
      event.preventDefault()
      take(file)
    }
    document.addEventListener('dragover', onDragOver, { signal })
    document.addEventListener('dragleave', onDragLeave, { signal })
    document.addEventListener('drop', onDrop, { signal })
    document.addEventListener('paste', onPaste, { signal })
    return () => end.abort()
  }, [])
}
