import type { DeskDevice, Pairing } from '@garba/shared/contracts/device'
import { DEVICES } from '@garba/shared/messages/deskDevices'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { type BodyOf, call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'

/** A device with the code that a phone can be paired with now. */
export interface Pairable {
  device: DeskDevice
  pairing: Pairing
}

/** What an admin may do with devices; the list is fetched again afterwards. */
export function useDeviceChanges() {
  const client = useQueryClient()
  // Not awaited: the dialog is done when the change is.
  const onSettled = () =>
    void Promise.all([KEYS.devices, KEYS.evening].map((queryKey) => client.invalidateQueries({ queryKey })))
  const saveFailed = (error: Error) => toast.error(DEVICES.saveFailed(messageOf(error)))
  const revokeFailed = (error: Error) => toast.error(DEVICES.revokeOne.failed(messageOf(error)))
  const create = useMutation({
    mutationFn: (body: BodyOf<'createDevice'>): Promise<Pairable> => call('createDevice', { body }),
    onError: saveFailed,
    onSettled,
  })
  const change = useMutation({
    mutationFn: ({ id, ...body }: BodyOf<'changeDevice'> & { id: string }) =>
      call('changeDevice', { params: { id }, body }),
    onSuccess: () => toast.success(DEVICES.saved),
    onError: saveFailed,
    onSettled,
  })
  const renew = useMutation({
    mutationFn: ({ id }: DeskDevice) => call('changeDevice', { params: { id }, body: { renewCode: true } }),
    onError: saveFailed,
    onSettled,
  })
  const revoke = useMutation({
    mutationFn: ({ id }: DeskDevice) => call('changeDevice', { params: { id }, body: { revoked: true } }),
    onSuccess: () => toast.success(DEVICES.revokeOne.done),
    onError: revokeFailed,
    onSettled,
  })
  const revokeAll = useMutation({
    mutationFn: () => call('revokeAllDevices'),
    onSuccess: ({ revoked }) => toast.success(DEVICES.revokeEvery.done(revoked)),
    onError: revokeFailed,
    onSettled,
  })
  return { create, change, renew, revoke, revokeAll }
}
