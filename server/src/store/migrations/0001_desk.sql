DROP INDEX `tickets_by_sale`;--> statement-breakpoint
CREATE INDEX `tickets_sold` ON `tickets` (`created_at`,`price_paise`) WHERE "tickets"."status" in ('active', 'used');--> statement-breakpoint
CREATE INDEX `tickets_listed` ON `tickets` (`id`,`search_text`) WHERE "tickets"."status" <> 'deleted';--> statement-breakpoint
CREATE INDEX `tickets_by_entry` ON `tickets` (`entry_time`) WHERE "tickets"."status" = 'used';--> statement-breakpoint
CREATE INDEX `scans_standing` ON `scans` (`device_id`) WHERE "scans"."outcome" = 'admitted' and "scans"."undone_at" is null;--> statement-breakpoint
CREATE INDEX `users_listed` ON `users` (`id`,`search_text`);