DROP INDEX `tickets_sold`;--> statement-breakpoint
DROP INDEX `tickets_listed`;--> statement-breakpoint
CREATE INDEX `tickets_sold` ON `tickets` (`created_at`,`status`,`price_paise`) WHERE "tickets"."status" in ('active', 'used');--> statement-breakpoint
CREATE INDEX `tickets_listed` ON `tickets` (`id`,`status`,`search_text`) WHERE "tickets"."status" <> 'deleted';