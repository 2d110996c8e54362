package io.drayage.trace;

import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * A span of a trace: a named period within another span. Times are values of {@link
 * System#nanoTime}. Without OpenTelemetry, or without a recorder, the span is {@link #NONE}, which
 * does nothing. No method throws if OpenTelemetry fails. Not thread-safe.
 */
public class TraceSpan {
  /** The span that does nothing. */
  public static final TraceSpan NONE = new TraceSpan();

  /** Name of the span of a transactor's work for a commit. */
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

  /** Begins a span within the current span of this thread, or a root span if there is none. */
  public static TraceSpan begin(String name, long beganNs) {
    return HAS_API ? OpenTelemetrySpan.start(name, beganNs) : NONE;
  }

  /** Begins a span within a span of another process; {@link #NONE} if {@code parent} is null. */
  public static TraceSpan within(@Nullable TraceContext parent, String name, long beganNs) {
    return HAS_API && parent != null ? OpenTelemetrySpan.startWithin(parent, name, beganNs) : NONE;
  }

  /** Begins the span of a transactor's work for a shipment; {@link #NONE} without a trace. */
  public static TraceSpan ofTransactor(ShipmentHeader header, long beganNs) {
    TraceSpan span = within(header.trace(), TRANSACTOR, beganNs);
    span.name(header);
    return span;
  }

  /** Adds the transaction to the span, and the cargo's fragment of it. */
  public void name(ShipmentHeader header) {
    if (this == NONE) {
      return;
    }
    put("drayage.transaction", header.wholeTransaction().toString());
    if (header.options().fragment() != null) {
      put("drayage.fragment", header.transactionId().toString());
    }
  }

  /** The context for another process that continues the trace; null if nobody records the span. */
  public @Nullable TraceContext context() {
    return null;
  }

  /** Ends the period in which the span is current. */
  @FunctionalInterface
  public interface Scope extends AutoCloseable {
    @Override
    void close();
  }

  /** Makes the span current on this thread, until the scope is closed. */
  public Scope makeCurrent() {
    return () -> {};
  }

  /** Adds an attribute. */
  public void put(String key, String value) {}

  /** Adds an attribute. */
  public void put(String key, long value) {}

  /** Adds an ended span within this one. */
  public final void phase(String name, long beganNs, long endedNs) {
    phase(name, beganNs, endedNs, null);
  }

  /**
   * Adds an ended span within this one.
   *
   * @param failure the exception that ended it; null if it did not fail
   */
  public void phase(String name, long beganNs, long endedNs, @Nullable Throwable failure) {}

  /**
   * Ends the span now.
   *
   * @param failure the exception that ended it; null if it did not fail
   */
  public void end(@Nullable Throwable failure) {}
}
