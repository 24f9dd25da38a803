DROP INDEX `tickets_by_entry`;--> statement-breakpoint
CREATE INDEX `scans_people` ON `scans` (`event_id`,`gate`,`at`,`outcome`,`undone_at`) WHERE "scans"."outcome" <> 'refused' and "scans"."undone_at" is null;--> statement-breakpoint
INSERT INTO `scans` (`id`, `ticket_id`, `outcome`, `admitted_offline`, `manual`, `checker_id`, `checker_name`, `sender_id`, `sender_name`, `at`, `received_at`, `back_dated`, `answer_status`, `answer`, `event_id`)
SELECT 'desk:' || `id`, `id`, 'marked', 0, 0, '', coalesce(`scanned_by_name`, ''), '', coalesce(`scanned_by_name`, ''), `entry_time`, `updated_at`, 0, 200, '{}', `event_id`
FROM `tickets` WHERE `status` = 'used' AND `entry_scan_id` IS NULL;
