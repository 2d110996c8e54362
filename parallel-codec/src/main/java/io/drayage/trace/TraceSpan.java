package io.drayage.trace;

import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * A span of a trace: a named stretch of time within another span. Times are those of {@link
 * System#nanoTime}. Without OpenTelemetry, or without a recorder, it is {@link #NONE}, which does
 * nothing. No method throws, whatever fails in OpenTelemetry. Not thread-safe.
 */
public class TraceSpan {
  /** Does nothing. */
  public static final TraceSpan NONE = new TraceSpan();

  /** What a transactor does for a commit. */
  public static final String TRANSACTOR = "drayage.transactor";

  private static final boolean HAS_API = hasApi();

  TraceSpan() {}

  private static boolean hasApi() {
    try {
      return Class.forName("io.opentelemetry.api.GlobalOpenTelemetry").getMethod("getOrNoop")
          != null;
    } catch (ReflectiveOperationException | LinkageError e) {
      return false;
    }
  }

  /** Begins a span within the one that is current on this thread, or one of its own. */
  public static TraceSpan begin(String name, long beganNs) {
    return HAS_API ? OpenTelemetrySpan.start(name, beganNs) : NONE;
  }

  /** Begins a span within one of another process; nothing if that is null. */
  public static TraceSpan within(@Nullable TraceContext parent, String name, long beganNs) {
    return HAS_API && parent != null ? OpenTelemetrySpan.startWithin(parent, name, beganNs) : NONE;
  }

  /** Begins what a transactor does for a shipment; nothing if nobody traces that. */
  public static TraceSpan ofTransactor(ShipmentHeader header, long beganNs) {
    TraceSpan span = within(header.trace(), TRANSACTOR, beganNs);
    span.name(header);
    return span;
  }

  /** Names the transaction, and which fragment of it the cargo is. */
  public void name(ShipmentHeader header) {
    if (this == NONE) {
      return;
    }
    put("drayage.transaction", header.wholeTransaction().toString());
    if (header.options().fragment() != null) {
      put("drayage.fragment", header.transactionId().toString());
    }
  }

  /** For the process in which it goes on; null if nobody records it. */
  public @Nullable TraceContext context() {
    return null;
  }

  /** Ends the time in which the span is current. */
  @FunctionalInterface
  public interface Scope extends AutoCloseable {
    @Override
    void close();
  }

  /** Makes it current on this thread, until the scope is closed. */
  public Scope makeCurrent() {
    return () -> {};
  }

  /** Describes it. */
  public void put(String key, String value) {}

  /** Describes it. */
  public void put(String key, long value) {}

  /** Adds a span within it that is over. */
  public final void phase(String name, long beganNs, long endedNs) {
    phase(name, beganNs, endedNs, null);
  }

  /**
   * Adds a span within it that is over.
   *
   * @param failure by which it ended; null if it did not fail
   */
  public void phase(String name, long beganNs, long endedNs, @Nullable Throwable failure) {}

  /**
   * Ends it now.
   *
   * @param failure by which it ended; null if it did not fail
   */
  public void end(@Nullable Throwable failure) {}
}
