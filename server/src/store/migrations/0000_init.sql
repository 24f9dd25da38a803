CREATE TABLE `attention` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`order_id` text,
	`payment_id` text,
	`amount_paise` integer NOT NULL,
	`detail` text NOT NULL,
	`created_at` integer NOT NULL,
	`resolved_at` integer,
	`resolved_by_name` text,
	`resolution` text,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attention_once` ON `attention` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `attention_open` ON `attention` (`created_at`) WHERE "attention"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX `attention_by_order` ON `attention` (`order_id`) WHERE "attention"."order_id" is not null;--> statement-breakpoint
CREATE INDEX `attention_by_payment` ON `attention` (`payment_id`) WHERE "attention"."payment_id" is not null;--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`actor_id` text,
	`actor_name` text NOT NULL,
	`subject` text,
	`subject_name` text,
	`detail` text NOT NULL,
	`search_text` text NOT NULL,
	`event_id` text
);
--> statement-breakpoint
CREATE INDEX `audit_by_action` ON `audit` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_actor` ON `audit` (lower("actor_name"),`id`);--> statement-breakpoint
CREATE INDEX `audit_by_subject` ON `audit` (lower(case when "subject_name" is null then '' else "subject_name" end),`id`);--> statement-breakpoint
CREATE TABLE `cash_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`person_name` text NOT NULL,
	`opened_at` integer NOT NULL,
	`float_paise` integer NOT NULL,
	`closed_at` integer,
	`expected_paise` integer,
	`counted_paise` integer,
	`note` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cash_sessions_open` ON `cash_sessions` (`person_id`) WHERE "cash_sessions"."closed_at" is null;--> statement-breakpoint
CREATE TABLE `block_codes` (
	`ticket_id` text PRIMARY KEY NOT NULL,
	`block_id` text NOT NULL,
	`number` integer NOT NULL,
	`qr_code` text NOT NULL,
	`state` text NOT NULL,
	`order_id` text,
	`returned_at` integer,
	`returned_by_id` text,
	`noted_order_id` text,
	FOREIGN KEY (`block_id`) REFERENCES `code_blocks`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`noted_order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "block_codes_state" CHECK("block_codes"."state" in ('allotted', 'sold', 'returned')),
	CONSTRAINT "block_codes_order" CHECK(("block_codes"."state" = 'sold') = ("block_codes"."order_id" is not null))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `block_codes_number` ON `block_codes` (`block_id`,`number`);--> statement-breakpoint
CREATE TABLE `code_blocks` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`kind` text NOT NULL,
	`label` text NOT NULL,
	`device_id` text,
	`size` integer NOT NULL,
	`type_id` text NOT NULL,
	`ticket_price_paise` integer NOT NULL,
	`group_price_paise` integer,
	`created_at` integer NOT NULL,
	`created_by_id` text,
	`created_by_name` text NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `code_blocks_listed` ON `code_blocks` (`event_id`,`id`);--> statement-breakpoint
CREATE INDEX `code_blocks_in_phones` ON `code_blocks` (`device_id`) WHERE "code_blocks"."ended_at" is null;--> statement-breakpoint
CREATE TABLE `conflicts` (
	`id` text PRIMARY KEY NOT NULL,
	`ticket_id` text NOT NULL,
	`holder_name` text NOT NULL,
	`over` text NOT NULL,
	`disputed` integer DEFAULT false NOT NULL,
	`first` text NOT NULL,
	`second` text NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`first_device_id` text,
	`second_device_id` text,
	`acknowledged_by_name` text,
	`acknowledged_at` integer,
	`event_id` text
);
--> statement-breakpoint
CREATE INDEX `conflicts_by_ticket` ON `conflicts` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `conflicts_by_time` ON `conflicts` (`event_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `conflicts_by_revision` ON `conflicts` (`revision`);--> statement-breakpoint
CREATE TABLE `device_rights` (
	`id` text PRIMARY KEY NOT NULL,
	`device_id` text NOT NULL,
	`since` integer NOT NULL,
	`rights` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `device_rights_by_device` ON `device_rights` (`device_id`,`since`);--> statement-breakpoint
CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text,
	`checker_id` text,
	`checker_name` text NOT NULL,
	`last_seen` integer NOT NULL,
	`unsent` integer NOT NULL,
	`oldest_unsent` integer,
	`roster_revision` integer,
	`app_version` text
);
--> statement-breakpoint
CREATE INDEX `devices_by_last_seen` ON `devices` (`last_seen`);--> statement-breakpoint
CREATE TABLE `gates` (
	`name` text PRIMARY KEY NOT NULL,
	`kinds` text NOT NULL,
	`types` text NOT NULL,
	`place` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `paired_devices` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`gates` text NOT NULL,
	`rights` text NOT NULL,
	`until` integer,
	`created_by_id` text,
	`created_by_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`code_hash` text,
	`link_hash` text,
	`code_expires_at` integer NOT NULL,
	`code_used_at` integer,
	`paired_at` integer,
	`public_key` text,
	`label` text,
	`shift_name` text,
	`shift_names` text DEFAULT '[]' NOT NULL,
	`gate` text,
	`revoked_at` integer,
	`revoked_by_name` text,
	`end_heard_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `paired_devices_code` ON `paired_devices` (`code_hash`) WHERE "paired_devices"."code_hash" is not null;--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`venue` text NOT NULL,
	`description` text NOT NULL,
	`date` text NOT NULL,
	`start_time` text NOT NULL,
	`end_time` text NOT NULL,
	`ends_next_day` integer DEFAULT false NOT NULL,
	`ticket_price_paise` integer NOT NULL,
	`group_price_paise` integer,
	`types` text NOT NULL,
	`total_tickets` integer NOT NULL,
	`taken_seats` integer DEFAULT 0 NOT NULL,
	`image_hash` text,
	`features` text NOT NULL,
	`about_text` text,
	`sales_from` integer,
	`sales_until` integer,
	`paused` text,
	`capacity` integer,
	`reentry` text DEFAULT 'none' NOT NULL,
	`reentry_until` integer,
	`state` text DEFAULT 'on' NOT NULL,
	`state_reason` text,
	`state_at` integer,
	`undo_until` integer,
	`state_before` text,
	`free_cancel_until` integer,
	`refunds_paused` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`closed_at` integer,
	`closed_revision` integer,
	`people_warned_at` integer,
	`anonymous_at` integer,
	FOREIGN KEY (`image_hash`) REFERENCES `images`(`hash`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "events_seats" CHECK("events"."taken_seats" between 0 and "events"."total_tickets"),
	CONSTRAINT "events_price" CHECK("events"."ticket_price_paise" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_open` ON `events` (("closed_at" is null)) WHERE "events"."closed_at" is null;--> statement-breakpoint
CREATE TABLE `images` (
	`hash` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`bytes` blob NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`order_id` text,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`lease_until` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`ended_at` integer,
	`gave_up` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`due_at`) WHERE "jobs"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `jobs_by_order` ON `jobs` (`order_id`) WHERE "jobs"."order_id" is not null;--> statement-breakpoint
CREATE TABLE `known_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`asked` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `lost_tickets` (
	`id` text PRIMARY KEY NOT NULL,
	`ticket_id` text NOT NULL,
	`event_id` text NOT NULL,
	`qr_code` text NOT NULL,
	`user_id` text NOT NULL,
	`offered_at` integer NOT NULL,
	`state` text NOT NULL,
	`decided_at` integer,
	`decided_by_name` text,
	`note` text,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "lost_tickets_state" CHECK("lost_tickets"."state" in ('waiting', 'confirmed', 'refused'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lost_tickets_once` ON `lost_tickets` (`user_id`,`ticket_id`);--> statement-breakpoint
CREATE INDEX `lost_tickets_by_ticket` ON `lost_tickets` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `lost_tickets_listed` ON `lost_tickets` (`event_id`,`state`,`id`);--> statement-breakpoint
CREATE TABLE `counters` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `movements` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`ticket_id` text,
	`chosen_id` text,
	`group_ids` text,
	`group` text,
	`change` integer NOT NULL,
	`event_id` text,
	`gate` text,
	`device_id` text,
	`device_name` text,
	`checker_id` text NOT NULL,
	`checker_name` text NOT NULL,
	`sender_id` text NOT NULL,
	`sender_name` text NOT NULL,
	`at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`undone_at` integer
);
--> statement-breakpoint
CREATE INDEX `movements_by_ticket` ON `movements` (`ticket_id`) WHERE "movements"."ticket_id" is not null;--> statement-breakpoint
CREATE INDEX `movements_counted` ON `movements` (`event_id`,`gate`,`at`,`kind`,`change`);--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`code` text DEFAULT '' NOT NULL,
	`event_id` text,
	`channel` text DEFAULT 'web' NOT NULL,
	`state` text DEFAULT 'paid' NOT NULL,
	`provider` text DEFAULT 'none' NOT NULL,
	`user_id` text,
	`seller_id` text,
	`seller_name` text,
	`idempotency_key` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit_paise` integer DEFAULT 0 NOT NULL,
	`lines` text DEFAULT '[]' NOT NULL,
	`promo_code_id` text,
	`promo_uses` integer DEFAULT 0 NOT NULL,
	`total_paise` integer NOT NULL,
	`buyer_name` text DEFAULT '' NOT NULL,
	`buyer_email` text DEFAULT '' NOT NULL,
	`buyer_phone` text,
	`language` text,
	`reason` text,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	`hold_until` integer,
	`offered_until` integer,
	`settled_at` integer,
	`looked_at` integer,
	`search_text` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_key` ON `orders` (`user_id`,`idempotency_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_seller_key` ON `orders` (`seller_id`,`idempotency_key`) WHERE "orders"."seller_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `orders_code` ON `orders` (`code`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_held_once` ON `orders` (`user_id`) WHERE "orders"."state" = 'held';--> statement-breakpoint
CREATE INDEX `orders_held` ON `orders` (`hold_until`) WHERE "orders"."state" = 'held';--> statement-breakpoint
CREATE INDEX `orders_listed` ON `orders` (`event_id`,`id`,`search_text`,`user_id`,`code`,`buyer_name`,`created_at`,`quantity`,`total_paise`,`state`,`provider`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`provider` text NOT NULL,
	`provider_ref` text,
	`provider_payment_id` text,
	`utr` text,
	`claims` integer DEFAULT 0 NOT NULL,
	`reference` text,
	`url` text,
	`amount_paise` integer NOT NULL,
	`charged_paise` integer,
	`fee_paise` integer,
	`state` text NOT NULL,
	`recorded_by_id` text,
	`recorded_by_name` text,
	`note` text,
	`cash_session_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`captured_at` integer,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cash_session_id`) REFERENCES `cash_sessions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_amount" CHECK("payments"."amount_paise" >= 0),
	CONSTRAINT "payments_state" CHECK("payments"."state" in ('created', 'pending', 'captured', 'failed', 'void'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_ref` ON `payments` (`provider_ref`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_id` ON `payments` (`provider_payment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_utr` ON `payments` (`utr`) WHERE "payments"."state" = 'captured';--> statement-breakpoint
CREATE INDEX `payments_utr_claims` ON `payments` (`utr`) WHERE "payments"."utr" is not null;--> statement-breakpoint
CREATE INDEX `payments_by_order` ON `payments` (`order_id`);--> statement-breakpoint
CREATE INDEX `payments_slips` ON `payments` (`order_id`) WHERE "payments"."reference" is not null;--> statement-breakpoint
CREATE INDEX `payments_by_session` ON `payments` (`cash_session_id`) WHERE "payments"."cash_session_id" is not null;--> statement-breakpoint
CREATE TABLE `promo_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`code` text NOT NULL,
	`compared` text NOT NULL,
	`kind` text NOT NULL,
	`value_hundredths` integer,
	`type_ids` text,
	`until` integer,
	`tickets` integer,
	`per_person` integer,
	`note` text NOT NULL,
	`paused` integer DEFAULT false NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	`created_by_id` text,
	`created_by_name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "promo_codes_used" CHECK("promo_codes"."used" >= 0 and ("promo_codes"."tickets" is null or "promo_codes"."used" <= "promo_codes"."tickets"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `promo_codes_compared` ON `promo_codes` (`event_id`,`compared`);--> statement-breakpoint
CREATE TABLE `provider_events` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text,
	`body` text NOT NULL,
	`received_at` integer NOT NULL,
	`applied_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_events_digest` ON `provider_events` (`digest`) WHERE "provider_events"."digest" is not null;--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`language` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_endpoint_unique` ON `push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_user` ON `push_subscriptions` (`user_id`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`ticket_id` text,
	`kind` text NOT NULL,
	`amount_paise` integer NOT NULL,
	`state` text NOT NULL,
	`provider_refund_id` text,
	`attempts` integer NOT NULL,
	`next_at` integer,
	`last_error` text,
	`reason` text,
	`retry_of` text,
	`covered_by` text,
	`requested_by_name` text,
	`cash_session_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`cash_session_id`) REFERENCES `cash_sessions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount_paise" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_provider_id` ON `refunds` (`provider_refund_id`);--> statement-breakpoint
CREATE INDEX `refunds_by_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE INDEX `refunds_by_ticket` ON `refunds` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `refunds_open` ON `refunds` (`state`,`next_at`) WHERE "refunds"."state" in ('requested', 'asking', 'sent');--> statement-breakpoint
CREATE INDEX `refunds_by_session` ON `refunds` (`cash_session_id`) WHERE "refunds"."cash_session_id" is not null;--> statement-breakpoint
CREATE TABLE `refusals` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scan_id` text,
	`at` integer NOT NULL,
	`code` text NOT NULL,
	`ticket_id` text,
	`holder_name` text,
	`checker_name` text NOT NULL,
	`device_id` text,
	`device_name` text,
	`gate` text,
	`event_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refusals_by_scan` ON `refusals` (`scan_id`);--> statement-breakpoint
CREATE INDEX `refusals_by_code` ON `refusals` (`event_id`,`code`);--> statement-breakpoint
CREATE INDEX `refusals_by_time` ON `refusals` (`event_id`,`at`);--> statement-breakpoint
CREATE TABLE `scans` (
	`id` text PRIMARY KEY NOT NULL,
	`ticket_id` text,
	`group_ids` text,
	`outcome` text NOT NULL,
	`admitted_offline` integer NOT NULL,
	`manual` integer NOT NULL,
	`device_id` text,
	`device_name` text,
	`gate` text,
	`checker_id` text NOT NULL,
	`checker_name` text NOT NULL,
	`sender_id` text NOT NULL,
	`sender_name` text NOT NULL,
	`device_time` integer,
	`at` integer NOT NULL,
	`claimed_at` integer,
	`back_dated` integer DEFAULT false NOT NULL,
	`received_at` integer NOT NULL,
	`undone_at` integer,
	`answer_status` integer NOT NULL,
	`answer` text NOT NULL,
	`event_id` text,
	`flag` text,
	`other_day` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `scans_by_ticket` ON `scans` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `scans_by_hand` ON `scans` (`received_at`) WHERE "scans"."manual" = 1;--> statement-breakpoint
CREATE INDEX `scans_back_dated` ON `scans` (`received_at`) WHERE "scans"."back_dated" = 1;--> statement-breakpoint
CREATE INDEX `scans_flagged` ON `scans` (`event_id`,`received_at`) WHERE "scans"."flag" is not null;--> statement-breakpoint
CREATE INDEX `scans_other_day` ON `scans` (`event_id`,`at`) WHERE "scans"."other_day" = 1;--> statement-breakpoint
CREATE INDEX `scans_standing` ON `scans` (`event_id`,`device_id`) WHERE "scans"."outcome" = 'admitted' and "scans"."undone_at" is null;--> statement-breakpoint
CREATE INDEX `scans_people` ON `scans` (`event_id`,`gate`,`at`,`outcome`,`undone_at`) WHERE "scans"."outcome" <> 'refused' and "scans"."undone_at" is null;--> statement-breakpoint
CREATE TABLE `settlement_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`kind` text NOT NULL,
	`settlement_id` text NOT NULL,
	`day` text NOT NULL,
	`amount_paise` integer NOT NULL,
	`fee_paise` integer NOT NULL,
	`stored_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `settlement_lines_by_day` ON `settlement_lines` (`day`,`settlement_id`);--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`private_jwk` text NOT NULL,
	`public_jwk` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE TABLE `statement_lines` (
	`id` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`amount_paise` integer NOT NULL,
	`utr` text,
	`numbers` text NOT NULL,
	`description` text NOT NULL,
	`imported_at` integer NOT NULL,
	`imported_by_name` text NOT NULL,
	`order_id` text,
	`aside_note` text,
	`aside_by_name` text,
	`aside_at` integer,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `statement_lines_by_order` ON `statement_lines` (`order_id`) WHERE "statement_lines"."order_id" is not null;--> statement-breakpoint
CREATE INDEX `statement_lines_by_day` ON `statement_lines` (`day`);--> statement-breakpoint
CREATE INDEX `statement_lines_by_utr` ON `statement_lines` (`utr`) WHERE "statement_lines"."utr" is not null;--> statement-breakpoint
CREATE TABLE `link_devices` (
	`link_id` text NOT NULL,
	`device` text NOT NULL,
	`opened_at` integer NOT NULL,
	PRIMARY KEY(`link_id`, `device`),
	FOREIGN KEY (`link_id`) REFERENCES `ticket_links`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `link_tickets` (
	`link_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	PRIMARY KEY(`link_id`, `ticket_id`),
	FOREIGN KEY (`link_id`) REFERENCES `ticket_links`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `link_tickets_by_ticket` ON `link_tickets` (`ticket_id`);--> statement-breakpoint
CREATE TABLE `ticket_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`purpose` text NOT NULL,
	`event_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`seller_id` text,
	`claimed_by` text,
	`claimed_unopened` integer DEFAULT false NOT NULL,
	`from_name` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ticket_links_token` ON `ticket_links` (`token_hash`);--> statement-breakpoint
CREATE TABLE `tickets` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`order_id` text,
	`user_id` text,
	`buyer_name` text NOT NULL,
	`buyer_email` text NOT NULL,
	`holder_name` text,
	`number` integer NOT NULL,
	`price_paise` integer NOT NULL,
	`type_id` text NOT NULL,
	`promo_code_id` text,
	`kind` text DEFAULT 'online' NOT NULL,
	`status` text NOT NULL,
	`qr_code` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`entry_time` integer,
	`entry_scan_id` text,
	`scanned_by_name` text,
	`scanned_at_device` text,
	`entry_gate` text,
	`left_at` integer,
	`cancelled_at` integer,
	`cancellation_reason` text,
	`is_refund_done` integer,
	`nothing_to_refund` integer DEFAULT false NOT NULL,
	`refund_in_full` integer DEFAULT false NOT NULL,
	`new_codes` integer DEFAULT 0 NOT NULL,
	`replaced_at` integer,
	`paper_number` integer,
	`paper_block_id` text,
	`revision` integer NOT NULL,
	`search_text` text NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tickets_status" CHECK("tickets"."status" in ('active', 'used', 'cancelled', 'deleted')),
	CONSTRAINT "tickets_entry" CHECK(("tickets"."status" <> 'used') or "tickets"."entry_time" is not null)
);
--> statement-breakpoint
CREATE INDEX `tickets_by_owner` ON `tickets` (`user_id`,`event_id`,`status`,`number`);--> statement-breakpoint
CREATE INDEX `tickets_by_status` ON `tickets` (`event_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_sold` ON `tickets` (`event_id`,`created_at`,`status`,`price_paise`) WHERE "tickets"."status" in ('active', 'used');--> statement-breakpoint
CREATE INDEX `tickets_by_name` ON `tickets` (`event_id`,lower(case when "holder_name" is null then "buyer_name" else "holder_name" end),`id`);--> statement-breakpoint
CREATE INDEX `tickets_listed` ON `tickets` (`event_id`,`id`,`status`,`search_text`,`user_id`,`order_id`,`price_paise`,`created_at`,`entry_time`,`cancelled_at`) WHERE "tickets"."status" <> 'deleted';--> statement-breakpoint
CREATE INDEX `tickets_by_revision` ON `tickets` (`revision`);--> statement-breakpoint
CREATE INDEX `tickets_by_order` ON `tickets` (`order_id`);--> statement-breakpoint
CREATE TABLE `type_seats` (
	`type_id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`seats` integer,
	`taken` integer DEFAULT 0 NOT NULL,
	`most` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "type_seats_taken" CHECK("type_seats"."taken" >= 0 and ("type_seats"."seats" is null or "type_seats"."taken" <= "type_seats"."seats"))
);
--> statement-breakpoint
CREATE INDEX `type_seats_of_event` ON `type_seats` (`event_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`firebase_uid` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer NOT NULL,
	`name` text NOT NULL,
	`photo_url` text,
	`role` text NOT NULL,
	`was_checker` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_login` integer,
	`search_text` text NOT NULL,
	CONSTRAINT "users_role" CHECK("users"."role" in ('guest', 'admin', 'manager', 'qrchecker'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_firebaseUid_unique` ON `users` (`firebase_uid`);--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`role`,`id`);--> statement-breakpoint
CREATE INDEX `users_by_name` ON `users` (lower("name"),`id`);--> statement-breakpoint
CREATE INDEX `users_listed` ON `users` (`id`,`search_text`);--> statement-breakpoint
CREATE TABLE `waiting` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`user_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`language` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `waiting_once` ON `waiting` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `waiting_in_line` ON `waiting` (`event_id`,`id`);