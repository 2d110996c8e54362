package io.drayage.spark.write;

import java.io.Serial;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** What a task has sent: its fragments, in the order of its rows. */
record Written(List<UUID> fragments) implements WriterCommitMessage {
  @Serial private static final long serialVersionUID = 1;
}
