package io.drayage.profiling;

import java.util.List;

/**
 * A sample of a thread.
 *
 * @param event the sampled event
 * @param waiting whether the thread had no core, and wanted none; only known of {@link
 *     ProfilerEvent#WALL}
 * @param atNs nanoseconds since 1970
 * @param thread the thread's name
 * @param role of the thread, from {@link ThreadRoles}
 * @param stack its frames, the outermost first
 * @param weight bytes of {@link ProfilerEvent#ALLOC} and {@link ProfilerEvent#NATIVEMEM}, otherwise
 *     nanoseconds
 */
public record Sample(
    ProfilerEvent event,
    boolean waiting,
    long atNs,
    String thread,
    String role,
    List<Frame> stack,
    long weight) {}
