package io.drayage.spark.write;

import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * What a task has sent.
 *
 * @param fragments in the order of its rows
 * @param rest by the names of metrics what Spark has not been told of by the task, since it asks no
 *     more when a task commits
 */
record Written(List<UUID> fragments, Map<String, Long> rest) implements WriterCommitMessage {
  @Serial private static final long serialVersionUID = 1;
}
