DROP INDEX `statement_lines_order`;--> statement-breakpoint
CREATE INDEX `statement_lines_by_order` ON `statement_lines` (`order_id`) WHERE "statement_lines"."order_id" is not null;--> statement-breakpoint
DROP INDEX `payments_utr`;--> statement-breakpoint
CREATE INDEX `payments_utr_claims` ON `payments` (`utr`) WHERE "payments"."utr" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_utr` ON `payments` (`utr`) WHERE "payments"."state" <> 'void';--> statement-breakpoint
DROP INDEX `refunds_open`;--> statement-breakpoint
ALTER TABLE `refunds` ADD `retry_of` text;--> statement-breakpoint
CREATE INDEX `refunds_open` ON `refunds` (`state`,`next_at`) WHERE "refunds"."state" in ('requested', 'asking', 'sent');--> statement-breakpoint
ALTER TABLE `provider_events` ADD `digest` text;--> statement-breakpoint
CREATE UNIQUE INDEX `provider_events_digest` ON `provider_events` (`digest`) WHERE "provider_events"."digest" is not null;--> statement-breakpoint
UPDATE `refunds` SET `retry_of` = (
	SELECT `older`.`id` FROM `refunds` AS `older`
	WHERE `older`.`ticket_id` = `refunds`.`ticket_id` AND `older`.`state` = 'failed' AND `older`.`created_at` < `refunds`.`created_at`
	ORDER BY `older`.`created_at` DESC LIMIT 1
) WHERE `ticket_id` IS NOT NULL;--> statement-breakpoint
UPDATE `refunds` SET `state` = 'asking' WHERE `state` = 'requested' AND EXISTS (
	SELECT 1 FROM `jobs` WHERE `jobs`.`id` = 'refund:' || `refunds`.`id` AND `jobs`.`attempts` > 0
);--> statement-breakpoint
UPDATE `jobs` SET `ended_at` = NULL, `gave_up` = 0 WHERE `kind` = 'refund' AND `gave_up` = 1 AND `attempts` >= 60 AND EXISTS (
	SELECT 1 FROM `refunds` WHERE `jobs`.`id` = 'refund:' || `refunds`.`id` AND `refunds`.`state` = 'asking'
);
--> statement-breakpoint
INSERT INTO `attention` (`id`, `kind`, `dedupe_key`, `order_id`, `payment_id`, `amount_paise`, `detail`, `created_at`)
	SELECT `refunds`.`id`, 'payBack', 'payBack:' || `refunds`.`id`, `payments`.`order_id`, `payments`.`id`, `refunds`.`amount_paise`, coalesce(`payments`.`utr`, ''), `refunds`.`created_at`
	FROM `refunds` JOIN `payments` ON `payments`.`id` = `refunds`.`payment_id`
	WHERE `refunds`.`ticket_id` IS NULL AND `refunds`.`state` = 'requested' AND `payments`.`provider` IN ('upi', 'cash', 'card');
