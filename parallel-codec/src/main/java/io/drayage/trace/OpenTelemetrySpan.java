package io.drayage.trace;

import io.drayage.frame.ShipmentException;
import io.drayage.frame.TraceContext;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A span of the OpenTelemetry SDK that is registered globally. A failure in the SDK loses the
 * trace, but not the traced work.
 */
final class OpenTelemetrySpan extends TraceSpan {
  private static final System.Logger LOG = System.getLogger(OpenTelemetrySpan.class.getName());
  private static final String NAME = "io.drayage";
  private static final AtomicBoolean HAS_FAILED = new AtomicBoolean();

  private final Tracer tracer;
  private final Span span;

  /** Added to {@link System#nanoTime} for the time since 1970, for one span and its phases. */
  private final long offsetNs;

  private OpenTelemetrySpan(Tracer tracer, Context parent, String name, long beganNs) {
    Instant now = Instant.now();
    this.offsetNs =
        TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
    this.tracer = tracer;
    this.span = startSpan(parent, name, beganNs);
  }

  /** {@link GlobalOpenTelemetry#get} would prevent the application from setting an SDK later. */
  private static Tracer tracer() {
    return GlobalOpenTelemetry.getOrNoop().getTracer(NAME);
  }

  static TraceSpan start(String name, long beganNs) {
    return guarded(
        NONE, () -> ifRecorded(new OpenTelemetrySpan(tracer(), Context.current(), name, beganNs)));
  }

  static TraceSpan startWithin(TraceContext parent, String name, long beganNs) {
    return guarded(
        NONE, () -> ifRecorded(new OpenTelemetrySpan(tracer(), remote(parent), name, beganNs)));
  }

  private static Context remote(TraceContext parent) {
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            TraceId.fromLongs(parent.traceHigh(), parent.traceLow()),
            SpanId.fromLong(parent.spanId()),
            TraceFlags.fromByte(parent.flags()),
            TraceState.getDefault());
    return Context.root().with(Span.wrap(remote));
  }

  private static TraceSpan ifRecorded(OpenTelemetrySpan begun) {
    return begun.span.isRecording() ? begun : NONE;
  }

  private static <T extends @Nullable Object> T guarded(T otherwise, Supplier<T> traced) {
    try {
      return traced.get();
    } catch (RuntimeException | LinkageError e) {
      if (HAS_FAILED.compareAndSet(false, true)) {
        LOG.log(Level.WARNING, "tracing fails; this is logged once, and the work goes on", e);
      }
      return otherwise;
    }
  }

  private static void guarded(Runnable traced) {
    guarded(
        null,
        () -> {
          traced.run();
          return null;
        });
  }

  private Span startSpan(Context parent, String name, long beganNs) {
    return tracer
        .spanBuilder(name)
        .setParent(parent)
        .setStartTimestamp(offsetNs + beganNs, TimeUnit.NANOSECONDS)
        .startSpan();
  }

  @Override
  public @Nullable TraceContext context() {
    return guarded(null, this::ownContext);
  }

  private TraceContext ownContext() {
    SpanContext context = span.getSpanContext();
    ByteBuffer trace = ByteBuffer.wrap(context.getTraceIdBytes());
    return new TraceContext(
        trace.getLong(),
        trace.getLong(),
        ByteBuffer.wrap(context.getSpanIdBytes()).getLong(),
        context.getTraceFlags().asByte());
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // The caller closes it.
  public Scope makeCurrent() {
    Scope ofSdk = guarded(null, () -> span.makeCurrent()::close);
    return ofSdk == null ? super.makeCurrent() : () -> guarded(ofSdk::close);
  }

  @Override
  public void put(String key, String value) {
    guarded(() -> span.setAttribute(key, value));
  }

  @Override
  public void put(String key, long value) {
    guarded(() -> span.setAttribute(key, value));
  }

  @Override
  public void phase(String name, long beganNs, long endedNs, @Nullable Throwable failure) {
    guarded(() -> end(startSpan(Context.root().with(span), name, beganNs), endedNs, failure));
  }

  @Override
  public void end(@Nullable Throwable failure) {
    guarded(() -> end(span, System.nanoTime(), failure));
  }

  private void end(Span ended, long endedNs, @Nullable Throwable failure) {
    if (failure != null) {
      ended.setAttribute(
          "error.type",
          failure instanceof ShipmentException named
              ? named.fault().name()
              : failure.getClass().getName());
      ended.setStatus(StatusCode.ERROR, String.valueOf(failure.getMessage()));
    }
    ended.end(offsetNs + endedNs, TimeUnit.NANOSECONDS);
  }
}
