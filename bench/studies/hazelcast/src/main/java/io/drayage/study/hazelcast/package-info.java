/**
 * Ten ways to put a small object into a grid, after Hazelcast's comparison of serialization
 * options, with further ones.
 */
@NullMarked
package io.drayage.study.hazelcast;

import org.jspecify.annotations.NullMarked;
