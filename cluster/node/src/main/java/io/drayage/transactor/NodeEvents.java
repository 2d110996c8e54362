package io.drayage.transactor;

import io.drayage.frame.Fault;
import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The last events of a node. At most {@value #MAX_EVENTS} are kept; of refusals with the same fault
 * only the last, with their number. Thread-safe; never blocks for long.
 */
public final class NodeEvents {
  /** Number of events that are kept. */
  public static final int MAX_EVENTS = 10;

  /** Code units of a text that are kept. */
  private static final int MAX_CHARS = 500;

  /** The oldest first. Guarded by this. */
  private final Deque<Event> events = new ArrayDeque<>();

  /**
   * An event.
   *
   * @param text in words; may have names and texts of other processes
   * @param fault of refused shipments and requests; null for other events
   * @param times number of refusals with this fault; 1 for other events
   */
  public record Event(Instant at, String text, @Nullable Fault fault, long times) {}

  /** Creates a log without events. */
  public NodeEvents() {}

  /** Adds an event of this moment. */
  public void add(String text) {
    add(text, null);
  }

  /** Adds an event of this moment, and logs it. */
  void add(System.Logger log, Level level, String pattern, Object... values) {
    String text = new MessageFormat(pattern, Locale.ROOT).format(values);
    log.log(level, text);
    add(text);
  }

  /**
   * Adds a refusal of this moment.
   *
   * @param who the worker or the transaction
   */
  void addRefusal(String who, Fault fault, @Nullable String reason) {
    add("%s got %s: %s".formatted(who, fault, reason), fault);
  }

  private synchronized void add(String text, @Nullable Fault fault) {
    long times = 1;
    for (Iterator<Event> each = events.iterator(); fault != null && each.hasNext(); ) {
      Event before = each.next();
      if (before.fault == fault) {
        times += before.times;
        each.remove();
      }
    }
    String kept = text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "..." : text;
    events.add(new Event(Instant.now(), kept, fault, times));
    if (events.size() > MAX_EVENTS) {
      events.remove();
    }
  }

  /** Returns the kept events, the newest first. */
  public synchronized List<Event> newest() {
    List<Event> newest = new ArrayList<>(events);
    Collections.reverse(newest);
    return newest;
  }
}
