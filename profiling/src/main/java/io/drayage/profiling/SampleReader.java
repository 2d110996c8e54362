package io.drayage.profiling;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import one.convert.Arguments;
import one.convert.JfrConverter;
import one.jfr.Dictionary;
import one.jfr.JfrReader;
import one.jfr.StackTrace;
import one.jfr.event.AllocationSample;
import one.jfr.event.ContendedLock;
import one.jfr.event.Event;
import one.jfr.event.ExecutionSample;
import one.jfr.event.MallocEvent;
import org.jspecify.annotations.Nullable;

/** Reads async-profiler's samples from a recording. Not thread-safe. */
final class SampleReader {
  private static final String THREAD_STATE = "jdk.types.ThreadState";

  /** State of a thread that was sampled because it was on a core. */
  private static final String HAS_CORE = "STATE_DEFAULT";

  private static final String WAITS = "STATE_SLEEPING";

  private final JfrReader recording;
  private final FrameNames names;
  private final ThreadRoles roles;
  private final Map<Frame, Frame> frames = new HashMap<>();
  private final Map<String, String> rolesByThread = new HashMap<>();
  private final List<Sample> samples = new ArrayList<>();

  /** Stacks of the current chunk, by number. */
  private final Map<Integer, List<Frame>> stacks = new HashMap<>();

  /** Used only for its names of methods. */
  private static final class FrameNames extends JfrConverter {
    FrameNames(JfrReader recording) {
      super(recording, arguments());
    }

    private static Arguments arguments() {
      Arguments arguments = new Arguments();
      arguments.dot = true;
      arguments.norm = true;
      return arguments;
    }

    /** Forgets the numbers of methods, which the next chunk assigns again. */
    void forget() {
      methodNames = new Dictionary<>();
    }
  }

  private SampleReader(JfrReader recording, ThreadRoles roles) {
    this.recording = recording;
    this.names = new FrameNames(recording);
    this.roles = roles;
  }

  static List<Sample> read(Path file, ThreadRoles roles) throws IOException {
    try (JfrReader recording = new JfrReader(file.toString())) {
      recording.stopAtNewChunk = true;
      SampleReader reader = new SampleReader(recording, roles);
      while (recording.hasMoreChunks()) {
        reader.readChunk();
      }
      return reader.samples;
    }
  }

  private void readChunk() throws IOException {
    names.forget();
    stacks.clear();
    for (Event event = recording.readEvent(); event != null; event = recording.readEvent()) {
      Sample sample = sample(event);
      if (sample != null) {
        samples.add(sample);
      }
    }
  }

  private @Nullable Sample sample(Event event) {
    if (event instanceof ExecutionSample seen) {
      String state = recording.getEnumValue(THREAD_STATE, seen.threadState);
      return HAS_CORE.equals(state)
          ? sample(ProfilerEvent.CPU, false, event, seen.samples() * ProfilerEvent.CPU_INTERVAL_NS)
          : sample(
              ProfilerEvent.WALL,
              WAITS.equals(state),
              event,
              seen.samples() * ProfilerEvent.WALL_INTERVAL_NS);
    }
    if (event instanceof AllocationSample) {
      return sample(ProfilerEvent.ALLOC, false, event, event.value());
    }
    if (event instanceof ContendedLock) {
      return sample(
          ProfilerEvent.LOCK, false, event, (long) (event.value() * recording.nanosPerTick));
    }
    if (event instanceof MallocEvent malloc && malloc.size > 0) {
      return sample(ProfilerEvent.NATIVEMEM, false, event, malloc.size);
    }
    return null;
  }

  private Sample sample(ProfilerEvent kind, boolean waiting, Event event, long weight) {
    String known = recording.threads.get(event.tid);
    String thread = known == null ? "thread " + event.tid : known;
    String role = rolesByThread.computeIfAbsent(thread, roles::of);
    List<Frame> stack = stacks.computeIfAbsent(event.stackTraceId, this::stack);
    if (event.classId() != 0) {
      List<Frame> withClass = new ArrayList<>(stack);
      withClass.add(frame(names.getClassName(event.classId()), one.convert.Frame.TYPE_INLINED));
      stack = withClass;
    }
    return new Sample(
        kind, waiting, recording.eventTimeToNanos(event.time), thread, role, stack, weight);
  }

  private List<Frame> stack(int id) {
    StackTrace trace = recording.stackTraces.get(id);
    List<Frame> stack = new ArrayList<>();
    if (trace != null) {
      for (int i = trace.methods.length - 1; i >= 0; i--) {
        String name = names.getMethodName(trace.methods[i], trace.types[i]);
        stack.add(frame(name == null ? "" : name, trace.types[i]));
      }
    }
    return stack;
  }

  private Frame frame(String name, byte type) {
    Frame frame = new Frame(name, type);
    Frame known = frames.putIfAbsent(frame, frame);
    return known == null ? frame : known;
  }
}
