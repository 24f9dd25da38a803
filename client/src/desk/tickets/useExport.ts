import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { useMutation } from '@tanstack/react-query'
import { toast } from 'sonner'
import { callFile } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { saveFile } from '../../platform/saveFile.ts'

/** Downloads all tickets as tickets.csv or tickets.json (SPEC 9). */
export const useExport = () =>
  useMutation({
    mutationFn: async (format: 'csv' | 'json') =>
      saveFile(await callFile('exportTickets', { query: { format } }), `tickets.${format}`),
    onSuccess: () => toast.success(SUCCESS_TOASTS.ticketsExported),
    onError: (error) => toast.error(FAILURE_TOASTS.exportTickets(messageOf(error))),
  })
