package io.drayage.spark.write;

import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The fragments that a task has sent.
 *
 * @param fragments in the order of its rows
 * @param rest values that the task has not reported to Spark, by the names of metrics, because
 *     Spark does not ask again when a task commits
 */
record Written(List<UUID> fragments, Map<String, Long> rest) implements WriterCommitMessage {
  @Serial private static final long serialVersionUID = 1;
}
