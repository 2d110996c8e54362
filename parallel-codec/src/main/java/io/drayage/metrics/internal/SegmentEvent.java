package io.drayage.metrics.internal;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/**
 * The encoding or decoding of one frame of segments. The codec thread begins and commits the event.
 * The duration of an encoding includes the wait for its buffer, which has a field of its own.
 */
@Name("io.drayage.Segment")
@Label("Segment")
@Category("Drayage")
@Description("One frame of segments was encoded or decoded by a codec thread")
@StackTrace(false)
@Threshold("1 ms")
public final class SegmentEvent extends Event {
  @Label("Direction")
  @Description("encode or decode")
  String direction = "";

  @Label("Table")
  String table = "";

  @Label("Column")
  @Description("Of the first segment, if the frame holds a run; empty for deleted rows")
  String column = "";

  @Label("Segments")
  long segments;

  @Label("Raw")
  @DataAmount
  long rawBytes;

  @Label("On the wire")
  @DataAmount
  long wireBytes;

  @Label("Wait for a buffer")
  @Timespan(Timespan.NANOSECONDS)
  long bufferWaitNs;
}
