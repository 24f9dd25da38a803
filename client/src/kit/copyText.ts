import { toast } from 'sonner'

export async function copyText(text: string, words: { copied: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(words.copied)
  } catch (refused) {
    console.info('The clipboard is not writable', refused)
    toast.error(words.failed)
  }
}
