ALTER TABLE "events" DROP COLUMN "lone";
