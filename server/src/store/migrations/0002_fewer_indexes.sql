DROP INDEX `audit_by_subject`;--> statement-breakpoint
DROP INDEX `scans_by_ticket`;--> statement-breakpoint
DROP INDEX `scans_by_outcome`;--> statement-breakpoint
DROP INDEX `scans_by_device`;--> statement-breakpoint
DROP INDEX `scans_by_checker`;--> statement-breakpoint
DROP INDEX `tickets_by_order`;