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
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A span of OpenTelemetry, of the SDK that is registered globally. */
final class OpenTelemetrySpan extends TraceSpan {
  private static final String NAME = "io.drayage";

  private final Tracer tracer;
  private final Span span;

  /**
   * What is added to {@link System#nanoTime} for the time since 1970; of one span and its phases.
   */
  private final long offsetNs;

  private OpenTelemetrySpan(Tracer tracer, Context parent, String name, long beganNs) {
    Instant now = Instant.now();
    this.offsetNs =
        TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
    this.tracer = tracer;
    this.span = startSpan(parent, name, beganNs);
  }

  /** {@link GlobalOpenTelemetry#get} would keep the application from setting one later. */
  private static Tracer tracer() {
    return GlobalOpenTelemetry.getOrNoop().getTracer(NAME);
  }

  static TraceSpan start(String name, long beganNs) {
    return ifRecorded(new OpenTelemetrySpan(tracer(), Context.current(), name, beganNs));
  }

  static TraceSpan startWithin(TraceContext parent, String name, long beganNs) {
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            TraceId.fromLongs(parent.traceHigh(), parent.traceLow()),
            SpanId.fromLong(parent.spanId()),
            TraceFlags.fromByte(parent.flags()),
            TraceState.getDefault());
    Context context = Context.root().with(Span.wrap(remote));
    return ifRecorded(new OpenTelemetrySpan(tracer(), context, name, beganNs));
  }

  private static TraceSpan ifRecorded(OpenTelemetrySpan begun) {
    return begun.span.isRecording() ? begun : NONE;
  }

  private Span startSpan(Context parent, String name, long beganNs) {
    return tracer
        .spanBuilder(name)
        .setParent(parent)
        .setStartTimestamp(offsetNs + beganNs, TimeUnit.NANOSECONDS)
        .startSpan();
  }

  @Override
  public TraceContext context() {
    SpanContext context = span.getSpanContext();
    ByteBuffer trace = ByteBuffer.wrap(context.getTraceIdBytes());
    return new TraceContext(
        trace.getLong(),
        trace.getLong(),
        ByteBuffer.wrap(context.getSpanIdBytes()).getLong(),
        context.getTraceFlags().asByte());
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // By whom it is returned to.
  public Scope makeCurrent() {
    return span.makeCurrent()::close;
  }

  @Override
  public void put(String key, String value) {
    span.setAttribute(key, value);
  }

  @Override
  public void put(String key, long value) {
    span.setAttribute(key, value);
  }

  @Override
  public void phase(String name, long beganNs, long endedNs, @Nullable Throwable failure) {
    Span phase = startSpan(Context.root().with(span), name, beganNs);
    end(phase, endedNs, failure);
  }

  @Override
  public void end(@Nullable Throwable failure) {
    end(span, System.nanoTime(), failure);
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
