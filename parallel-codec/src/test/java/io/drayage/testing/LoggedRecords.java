package io.drayage.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The records that {@code io.drayage} logs while this is open. They are not shown. */
public final class LoggedRecords extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("io.drayage");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  public LoggedRecords() {
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  /** The records with a stack. */
  public List<LogRecord> withStack() {
    return records.stream().filter(each -> each.getThrown() != null).toList();
  }

  @Override
  public void publish(LogRecord logged) {
    records.add(logged);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
