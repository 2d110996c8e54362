/**
 * Studies of others: starts the process that repeats one, and puts our figures beside those that
 * were published.
 */
@NullMarked
package io.drayage.bench.study;

import org.jspecify.annotations.NullMarked;
