package io.drayage.testing;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * The records that {@code io.drayage} or a part of it logs while this is open. They are not shown.
 */
public final class LoggedRecords extends Handler implements AutoCloseable {
  private final Logger logger;
  private final BlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();

  public LoggedRecords() {
    this("io.drayage");
  }

  /** The records of one logger, and of those below it. */
  public LoggedRecords(String name) {
    logger = Logger.getLogger(name);
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  /** The levels and messages: {@code WARNING it is full}. */
  public List<String> lines() {
    return records.stream()
        .map(each -> each.getLevel() + " " + new SimpleFormatter().formatMessage(each))
        .toList();
  }

  /** The records with a stack. */
  public List<LogRecord> withStack() {
    return records.stream().filter(each -> each.getThrown() != null).toList();
  }

  /** Waits for the next message. */
  public String take() throws InterruptedException {
    return new SimpleFormatter().formatMessage(records.take());
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
